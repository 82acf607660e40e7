// The options of Open MPI's mpirun (4.x, and what 5.x and 6.x added), of MPICH's hydra (4.x and 5.x), and of Slurm's
// srun.
#include "launcher.h"

namespace weir::tool {

namespace {

struct Group {
  int values;
  std::string_view names;
};

OptionTable table_of(std::initializer_list<Group> groups) {
  OptionTable table;
  for (const Group& group : groups)
    for (const std::string& name : split(group.names, ' ')) table.emplace(name, group.values);
  return table;
}

OptionTable open_mpi_options() {
  return table_of({
      {2, "mca gmca omca prtemca pmixmca gpmixmca append-env prepend-env"},
      {1,
       "amca gomca dvm rtos add-host add-hostfile alloc-id alloc-refid app-pmix-prefix arch bindto dvm-hostfile file "
       "forward-signals "
       "gpu-support initial-errhandler mapby memory-alloc-kinds output-directory pmix-prefix pubsub-server rankby "
       "set-env singleton stream-buffering tmpdir unset-env "
       "with-ft "
       "am app bind-to c n N np cf cartofile cpu-list cpu-set cpus-per-proc cpus-per-rank debugger "
       "default-hostfile display dvm-uri exec-agent H host hnp hostfile keepalive launch-agent "
       "machinefile "
       "map-by max-restarts max-vm-size npernode npersocket num-connect-retries ompi-server output "
       "output-filename path personality ppr prefix preload-files pset rank-by report-events "
       "report-pid "
       "report-uri rf rankfile runtime-options server-wait-time slot-list spawn-timeout stdin "
       "timeout "
       "tune wd wdir with-mpi x xml-file xterm"},
      {0,
       "no-aggregate-help parsable parseable soft stop-in-app stop-in-init stop-on-exec test-suicide daemonize "
       "display-comm display-comm-finalize fwd-environment hetero-nodes no-app-prefix uniform-nodes "
       "allow-run-as-root bind-to-core bind-to-socket bind-to-none bycore bynode byslot bysocket "
       "continuous d "
       "debug-devel debug debug-daemons debug-daemons-file disable-recovery display-allocation "
       "display-devel-allocation display-devel-map display-diffable-map display-map display-topo "
       "do-not-launch do-not-resolve enable-instant-on-support enable-recovery "
       "fwd-mpirun-port get-stack-traces h help index-argv-by-rank leave-session-attached "
       "merge-stderr-to-stdout nolocal nooversubscribe noprefix novm output-proctable "
       "oversubscribe "
       "pernode q quiet report-bindings report-child-jobs-separately report-state-on-timeout s "
       "preload-binary set-cwd-to-session-dir set-sid show-progress tag-output timestamp-output tv "
       "use-hwthread-cpus use-regexp v verbose V version wait-for-server xml"},
  });
}

OptionTable hydra_options() {
  return table_of({
      {2, "genv env"},
      {1,
       "errfile hostlist machinelist machines memory-alloc-kinds outfile output-from rankmap "
       "genvlist envlist f g hostfile machinefile machine hosts host wdir configfile n np ppn "
       "perhost launcher "
       "launcher-exec bootstrap bootstrap-exec rmk topolib bind-to binding map-by membind demux "
       "iface "
       "prepend-pattern outfile-pattern errfile-pattern nameserver order-nodes localhost usize "
       "gpus-per-proc gpu-subdevs-per-proc ckpoint-interval ckpoint-prefix ckpoint-num ckpointlib "
       "path arch "
       "s timeout umask"},
      {0,
       "genvnone genvall envnone envall enable-x disable-x verbose v info version help h "
       "print-all-exitcodes print-rank-map profile prepend-rank l disable-auto-cleanup dac "
       "disable-hostname-propagation enable-hostname-propagation enable-auto-cleanup hybrid-hosts pmi-port "
       "skip-launch-node report-bindings debug tv rr"},
  });
}

OptionTable srun_options() {
  return table_of({
      {1,
       "A account a acctg-freq b begin B extra-node-info bb bbf bcast-exclude c cpus-per-task C "
       "constraint "
       "cluster-constraint comment compress container core-spec S cpu-bind cpu-freq cpus-per-gpu d "
       "dependency "
       "D chdir deadline delay-boot distribution m e error epilog export F nodefile G gpus "
       "gpu-bind gpu-freq "
       "gpus-per-node gpus-per-socket gpus-per-task gres gres-flags het-group hint i input J "
       "job-name jobid "
       "kill-on-bad-exit L licenses M clusters mail-type mail-user mcs-label mem mem-bind "
       "mem-per-cpu "
       "mem-per-gpu mincpus mpi msg-timeout n ntasks N nodes network nice ntasks-per-core "
       "ntasks-per-gpu "
       "ntasks-per-node ntasks-per-socket o output open-mode p partition power prefer priority "
       "profile "
       "prolog q qos r relative reservation signal slurmd-debug switches t time task-epilog "
       "task-prolog "
       "thread-spec threads-per-core time-min tmp tres-bind tres-per-task w nodelist W wait wckey "
       "x exclude"},
      {0,
       "E preserve-env exact H hold h help I immediate interactive K k no-kill l label multi-prog "
       "O overcommit "
       "overlap s oversubscribe pty Q quiet X disable-status unbuffered u usage use-min-nodes v "
       "verbose V "
       "version whole Z no-allocate exclusive contiguous spread-job reboot get-user-env propagate "
       "bcast "
       "accel-bind resv-ports quit-on-interrupt wait-all-nodes no-requeue"},
  });
}

}  // namespace

const OptionTable& options_of(LauncherKind kind) {
  static const OptionTable none;
  static const OptionTable open_mpi = open_mpi_options();
  static const OptionTable hydra = hydra_options();
  static const OptionTable srun = srun_options();
  switch (kind) {
    case LauncherKind::kOpenMpi: return open_mpi;
    case LauncherKind::kHydra: return hydra;
    case LauncherKind::kSrun: return srun;
    case LauncherKind::kNone: break;
  }
  return none;
}

}  // namespace weir::tool
