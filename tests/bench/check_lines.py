"""check_lines.py FILE: the two lines that program_test has the program write are what they have to be."""
import json, sys
write, read = [json.loads(line) for line in open(sys.argv[1])]
keys = ('workload parameters direction ranks nodes bytes file_bytes calls seed seconds whole_seconds block_seconds '
        'block_whole_seconds verified note file_system hints mpi')
assert ' '.join(write) == keys, list(write)
assert write['parameters'] == {'merged': 1, 'seed': 20, 'variables': 2, 'file': 'tiny.dat'}, write
assert (write['ranks'], write['nodes'], write['calls']) == (4, 1, 1)
assert (write['bytes'], write['file_bytes']) == (176, 192)
assert '176' in write['note']
assert len(write['seconds']) == len(write['whole_seconds']) == len(write['block_seconds']) == 3
assert all(0 < calls < whole for calls, whole in zip(write['seconds'], write['whole_seconds']))
assert write['hints']['cb_nodes'] == '2' and '\n' not in write['mpi'] and write['file_system']
assert read['direction'] == 'read' and len(read['seconds']) == 1 and read['block_seconds'] == []
print('right')
