"""The table of one run: time as a multiple of Block I/O's, for each peer, with the limits that weir has to keep."""

import math

# Largest ratio to Block I/O: pattern -> ranks -> (write, read).
ARRAYS = {4: (1.8, 2.5), 16: (2.2, 3.0)}
BLOCKS = {4: (2.2, 3.0), 16: (2.4, 3.5)}
SHARES = {4: (1.15, 1.2), 16: (1.2, 1.3)}
LIMITS = {
    "block3d": ARRAYS,
    "s3d": ARRAYS,
    "btio": ARRAYS,
    "random1k": BLOCKS,
    "cyclic64": BLOCKS,
    "cyclic4": {4: (4, 6), 16: (4, 6)},
    "irregular": {4: (5, 8), 16: (5, 8)},
    "memgaps": {4: (2.5, 3.5), 16: (2.8, 4)},
    "flash": SHARES,
    "contiguous": SHARES,
}
NOISE = 1.05  # weir counts as slower than a peer only beyond this


def limit_of(pattern, ranks, direction):
    """None where there is no limit."""
    limits = LIMITS.get(pattern, {}).get(ranks)
    return limits and limits[0 if direction == "write" else 1]


def is_broken(result):
    """True if weir failed or moved wrong data; being too slow is not that."""
    return result["peer"] == "weir" and not usable(result) and not result.get("failed", "").startswith(">")


def cell_text(result):
    if result is None:
        return "-"
    if "failed" in result:
        return result["failed"]
    if result["verified"] is False:
        return "WRONG"
    return ("~" if "smaller" in result else "") + f"{result['ratio']:.2f}"


def usable(result):
    return result is not None and "failed" not in result and result["verified"] is not False


def pace(result):
    """Seconds per byte: also comparable where a peer had a smaller file."""
    return result["median"] / result["bytes"]


def best_pace(cells):
    """That of the fastest peer; None if no peer finished with the right data."""
    return min((pace(cell) for peer, cell in cells.items() if peer != "weir" and usable(cell)), default=None)


def remarks(weir, limit, gain):
    if not usable(weir):
        return []
    found = ["OVER THE LIMIT"] if limit and weir["ratio"] > limit else []
    return found + (["SLOWER THAN A PEER"] if gain and gain * NOISE < 1 else [])


def row(run, pattern, direction, cells):
    """A line of text, and best peer's time / weir's time (None if one is missing)."""
    weir, best = cells.get("weir"), best_pace(cells)
    limit = limit_of(pattern, run.ranks, direction)
    gain = best / pace(weir) if best and usable(weir) else None
    columns = [f"{pattern:11}", f"{direction:6}"] + [f"{cell_text(cells.get(peer)):>9}" for peer in run.peers]
    columns.append(f"{limit or '-':>7}")
    columns.append(f"{1 / gain:>10.2f}" if gain else f"{'-':>10}")
    columns.append(f"{weir['spread']:>7.0%}" if usable(weir) else f"{'-':>7}")
    return "".join(columns) + "  " + ", ".join(remarks(weir, limit, gain)), gain


def block_line(peers, results):
    """How fast Block I/O itself was under each peer: it should not differ."""
    texts = []
    for direction in ["write", "read"]:
        for peer in peers:
            rates = [result["bytes"] / result["block_median"] / 1e6 for result in results
                     if result["peer"] == peer and result["direction"] == direction and usable(result)]
            if rates:
                texts.append(f"{peer} {direction} {geometric_mean(rates):.0f}")
    return "Block I/O in MB/s: " + ", ".join(texts)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def text(run, results, options):
    lines = [f"{run.title()}, {options.size:g} MiB: median of {options.repeats}, as a multiple of Block I/O"]
    lines.append(f"{'pattern':11}{'':6}" + "".join(f"{peer:>9}" for peer in run.peers) +
                 f"{'limit':>7}{'weir/best':>10}{'spread':>7}")
    gains = []
    for pattern in options.patterns:
        for direction in ["write", "read"]:
            cells = {result["peer"]: result for result in results
                     if result["pattern"] == pattern and result["direction"] == direction}
            if cells:
                line, gain = row(run, pattern, direction, cells)
                lines.append(line.rstrip())
                gains += [gain] if gain else []
    if gains:
        lines.append(f"geometric mean of best peer / weir, in time: {geometric_mean(gains):.2f} ({len(gains)} cells)")
    if any("smaller" in result for result in results):
        lines.append("~: with a smaller file, the full one did not finish in time")
    lines.append(block_line(run.peers, results))
    notes = {f"{result['pattern']}: {result['note']}" for result in results if result.get("note")}
    return "\n".join(lines + sorted(notes))
