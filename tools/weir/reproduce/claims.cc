// The papers' claims as data.
#include <algorithm>
#include <iterator>
#include <utility>

#include "reproduce/claim.h"
#include "reproduce/exact/exact.h"
#include "reproduce/live/live.h"
#include "reproduce/model/model.h"

namespace weir::tool::reproduce {

namespace {

// What is not wired yet is said so.
Finding needs_live_run(const Setting&) { return not_run("no live run for this yet"); }

Part exact(std::string_view run, Finding (*check)(const Setting&)) { return {How::kExact, run, check}; }
Part live(std::string_view run, Finding (*check)(const Setting&) = needs_live_run) { return {How::kLive, run, check}; }
Part model(std::string_view run, Finding (*check)(const Setting&)) { return {How::kModel, run, check}; }

std::vector<Claim> gpfs_claims() {
  return {
      {1,
       "data-shipping",
       "gpfs",
       "Figures 2, 3: data shipping of 10 000 random 4 KB blocks a task, up to 12 tasks",
       "reads gain from data shipping, writes lose as tasks grow",
       {model("sp: tokens, agents with blocks of 512 KB and none", data_shipping_times)}},
      {2,
       "access-ranges",
       "gpfs",
       "Figures 4, 5: 32 x 4 KB of 100 file blocks with max_acc 0, 1, 2, 4, 6, 8",
       "reads gain with any max_acc > 0, 1 is best or near it; writes have no clear gain",
       {live("multiple_access_range with IBM_io_max_acc 0 and 1"),
        model("sp: advice ahead of reads, every task for itself", access_range_times)}},
      {3,
       "sparse",
       "gpfs",
       "Figures 6, 7: sparse access at sparsity 100, 50, 25, 10, 1 %, 16 KB, up to 32 tasks",
       "fewer messages unless every pair has bytes; faster from 16 tasks on when sparse, slower when dense",
       {exact("messages of `sparse`, every task an aggregator, against all pairs in all rounds", sparse_messages),
        model("sp", sparse_times)}},
      {4,
       "double-buffering",
       "gpfs",
       "Figures 8, 9: double buffering with 2 to 32 tasks",
       "writes gain noticeably, reads substantially",
       {live("discontiguous, 64 MB on 4 ranks, windows of 1 MiB, 1 and 2 rounds in flight", double_buffering),
        model("sp", double_buffering_times)}},
      {5,
       "tasks-per-node",
       "gpfs",
       "Figures 10, 11: 1, 2, 4, 8 tasks a node, 4 to 128 tasks",
       "more a node are slower; the gap closes as the servers' 700 MB/s are reached",
       {model("sp", tasks_per_node)}},
  };
}

std::vector<Claim> domains_and_coll_perf_claims() {
  return {
      {6,
       "even-domains",
       "domains",
       "Figure 1: 150 bytes from offset 10, 4 aggregators, buffer of 16 bytes",
       "domains of 38, 38, 38, 36 bytes in 3 rounds",
       {exact("a plan with weir_domains=even, cb_nodes=4, cb_buffer_size=16", even_domains)}},
      {7,
       "group-cyclic",
       "domains",
       "Figure 5: 8 aggregators, 4 servers, the first block is 7 modulo 8",
       "groups {7, 0, 1, 2} and {3, 4, 5, 6}",
       {exact("group-cyclic domains of 16 blocks", group_cyclic_domains)}},
      {8,
       "coll-perf-lustre",
       "domains",
       "Figure 6, Jaguar: coll_perf 128^3 and 100^3 per rank, 16 to 1024 ranks, write",
       "even and aligned alike, far below cyclic; static and group alike up to 256 ranks; static falls at 512 and "
       "1024, "
       "group grows",
       {model("jaguar: server locks", coll_perf_on_lustre)}},
      {9,
       "coll-perf-gpfs",
       "domains",
       "Figure 6, Mercury: the same, write",
       "128^3: even and aligned alike, far above cyclic; 100^3: even falls to cyclic, aligned stays",
       {model("mercury: tokens", coll_perf_on_gpfs)}},
      {10,
       "io-share",
       "domains",
       "Figure 6: share of the I/O phase",
       "lowest for cyclic on Lustre and for aligned on GPFS; static rises at 512 and 1024",
       {model("jaguar, mercury", file_shares)}},
      {11,
       "reads",
       "domains",
       "Figure 6: reads",
       "cyclic slightly worst, even and aligned alike",
       {model("jaguar, mercury: read-ahead", reads_by_domains)}},
  };
}

std::vector<Claim> domains_and_application_claims() {
  return {
      {12,
       "btio-lustre",
       "domains",
       "Figure 8, Jaguar: BTIO 162^3, 6.34 GB",
       "cyclic peaks at 16, 64, 256 ranks; fitted A = 8, 8, 16, 32, 128 at 36, 49, 100, 144, 576 mends the others",
       {exact("plans of btio on 64 servers", fitted_aggregators), model("jaguar", btio_on_lustre)}},
      {13,
       "redistribution",
       "domains",
       "Figure 8: beyond 256 ranks redistribution grows",
       "288.3 KB a rank at 576; the I/O phase's share falls",
       {exact("shares of btio:side=162 at 576 ranks", btio_bytes_of_a_rank),
        model("jaguar, 64 aggregators", btio_redistribution)}},
      {14,
       "btio-gpfs",
       "domains",
       "Figure 8, Mercury: BTIO",
       "aligned > cyclic > even, the gap grows with the ranks",
       {model("mercury", btio_on_gpfs)}},
      {15,
       "flash-s3d",
       "domains",
       "Figures 10, 12: FLASH and S3D",
       "FLASH 20, 20.25, 20.5 MB a rank, S3D 15.26 MB; Lustre as claim 8; GPFS: aligned best, even near it for FLASH",
       {exact("shares of flash:side=32 and s3d:block=50", flash_and_s3d_sizes),
        model("jaguar, mercury", flash_and_s3d)}},
  };
}

std::vector<Claim> beffio_claims() {
  return {
      {16,
       "beffio-patterns",
       "beffio",
       "Table 1: the patterns and their time units",
       "36 patterns, 64 units",
       {exact("b_eff_io's table of patterns", beffio_patterns)}},
      {17,
       "beffio-values",
       "beffio",
       "Tables 2, 3: values of three sets of hints",
       "152, 420, 425 in release 1.x; 159.5, 440.8, 451.7 in release 2.0",
       {exact("b_eff_io's averaging of the printed columns", beffio_values)}},
      {18,
       "beffio-shipping",
       "beffio",
       "Table 2: largeblock_io by pattern",
       "segmented-collective gains from it (13 to 524 MB/s), scattering writes lose: a mix beats either",
       {live("b_eff_io with agents everywhere, nowhere and by pattern, 4 ranks, T = 20 s each", beffio_shipping)}},
      {19,
       "beffio-chunks",
       "beffio",
       "Section 3: types by chunk size",
       "type 0 is best at small chunks; with shipping, type 4 is more than 10 times below type 3",
       {live("b_eff_io with agents everywhere, 4 ranks, T = 30 s", beffio_chunks)}},
      {20,
       "beffio-stop",
       "beffio",
       "Section 5: the test for the end of a pattern",
       "60 us against 250 us a call is too much; data of 20 times the cache are 95 % on disk",
       {exact("b_eff_io's batches of repeats", beffio_stop_test)}},
  };
}

std::vector<Claim> tam_claims() {
  return {
      {21,
       "tam-scaling",
       "tam",
       "Figure 3: E3SM F and G, BTIO 512^3 x 40, S3D 800^3 on 1 Ki to 16 Ki ranks",
       "two-layer 3 to 29 times two-phase at 16 Ki; two-phase falls from 1 Ki to 16 Ki, two-layer does not; BTIO about "
       "40 s with 256 local aggregators",
       {model("theta: congested receivers", two_layer_scaling)}},
      {22,
       "tam-receives",
       "tam",
       "Section IV-D: receives of an aggregator in a round",
       "16384 to 256; 917 504 to 14 336 messages in all",
       {exact("plans of btio on 256 x 64 ranks", receives_of_a_round)}},
      {23,
       "tam-local-aggregators",
       "tam",
       "Figures 4 to 7: time against the number of local aggregators",
       "inside nodes it falls as 1 / P_L, between nodes it grows with P_L; best near 256 on 256 x 64 ranks",
       {model("theta", local_aggregators)}},
      {24,
       "tam-btio-requests",
       "tam",
       "BTIO's requests before and after merging, 1024, 4096, 16384 ranks",
       "335 544 320, 671 088 640, 1 342 177 280 before; 84 377 600, 43 171 840, 23 552 000 after",
       {exact("pieces of btio:side=512 at 256 local aggregators", btio_requests)}},
      {25,
       "tam-requests",
       "tam",
       "Requests of S3D and E3SM",
       "S3D 327 680 000; E3SM F 1.36e9 in 14 GiB, G 180e6 in 85 GiB, within 10 %",
       {exact("pieces of s3d:side=800, e3sm_f, e3sm_g", other_requests)}},
  };
}

std::vector<Claim> iec_claims() {
  return {
      {26,
       "iec-equations",
       "iec",
       "Equations 1, 2, tables 1 to 4",
       "ceil(log2 P) phases of N_x / 2P; P = 4, N_x = 16: offsets 0, 8, 4, 12",
       {exact("trades of the pairwise exchange", pairwise_phases)}},
      {27,
       "iec-inspector",
       "iec",
       "Figures 8, 9: the inspector's time",
       "about constant in N_x, sublinear in P",
       {live("cyclic with weir_exchange=pairwise, the first call of a start; 4 ranks", inspector_time)}},
      {28,
       "iec-executor",
       "iec",
       "Figures 10, 11: the executor's time",
       "independent of B_x",
       {live("cyclic:nx=4194304 with weir_exchange=pairwise, 4 ranks", executor_time)}},
      {29,
       "iec-methods",
       "iec",
       "Figures 12, 13: writing by block size B_x",
       "Block best; IEC flat; two-phase meets IEC near B_x = 16, List near 512",
       {live("cyclic:nx=1048576 on 4 ranks, List, two-phase, IEC and Block", methods_by_block_size)}},
      {30,
       "iec-slow-network",
       "iec",
       "Figures 14, 15: a slow network",
       "two-phase and IEC suffer, List and Block do not",
       {model("a cluster at 1 Gbit/s and at 100 Mbit/s", slow_network)}},
  };
}

}  // namespace

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> claims = [] {
    std::vector<Claim> all;
    for (const auto& of_paper : {gpfs_claims(), domains_and_coll_perf_claims(), domains_and_application_claims(),
                                 beffio_claims(), tam_claims(), iec_claims()}) {
      std::ranges::copy(of_paper, std::back_inserter(all));
    }
    return all;
  }();
  return claims;
}

const char* name(How how) {
  switch (how) {
    case How::kExact: return "formula";
    case How::kLive: return "live";
    case How::kModel: return "model";
  }
  return "";
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees: return "agrees";
    case Verdict::kDisagrees: return "disagrees";
    case Verdict::kNotRun: return "not run";
  }
  return "";
}

Finding found(bool holds, std::string result, std::vector<Chart> charts) {
  return {holds ? Verdict::kAgrees : Verdict::kDisagrees, std::move(result), std::move(charts)};
}

Finding not_run(std::string why) { return {Verdict::kNotRun, std::move(why)}; }

Verdict verdict_of(const std::vector<Finding>& findings) {
  const auto any = [&](Verdict verdict) { return std::ranges::count(findings, verdict, &Finding::verdict) > 0; };
  if (any(Verdict::kDisagrees)) return Verdict::kDisagrees;
  return any(Verdict::kNotRun) || findings.empty() ? Verdict::kNotRun : Verdict::kAgrees;
}

}  // namespace weir::tool::reproduce
