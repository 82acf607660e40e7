#include "sim/network.h"

#include <algorithm>

namespace weir::sim {

namespace {

int node_count(int ranks, int ranks_per_node) { return (ranks + ranks_per_node - 1) / ranks_per_node; }

}  // namespace

Network::Network(const model::MachineModel& machine, int ranks, int ranks_per_node, EventQueue& events)
    : machine_(machine),
      ranks_per_node_(ranks_per_node),
      crowding_(std::max(1.0, static_cast<double>(ranks_per_node) / machine.nodes.cores_per_node)),
      events_(events),
      cores_(static_cast<std::size_t>(ranks)),
      links_(static_cast<std::size_t>(node_count(ranks, ranks_per_node))) {}

void Network::send(const Message& message) {
  std::size_t number = messages_.size();
  if (free_messages_.empty()) {
    messages_.push_back(message);
    left_.push_back(0);
  } else {
    number = free_messages_.back();
    free_messages_.pop_back();
    messages_[number] = message;
  }
  ++sent_;
  sent_bytes_ += message.bytes;
  add_job(message.from, {number, true});
}

void Network::take(std::size_t message) { add_job(messages_[message].to, {message, false}); }

Micros Network::cost(const Job& job, const Core& core) const {
  const Message& message = messages_[job.message];
  const Micros passed = static_cast<double>(message.bytes) / machine_.network.core_mb_s;
  if (job.sending) return crowding_ * (machine_.network.send_us + passed);
  const auto others = static_cast<double>(core.waiting - 1);
  return crowding_ * (machine_.network.receive_us + others * machine_.network.waiting_us + passed +
                      static_cast<double>(message.pieces) * machine_.memory.piece_us);
}

void Network::add_job(int rank, Job job) {
  core(rank).jobs.push_back(job);
  if (!core(rank).working) start_job(rank);
}

void Network::start_job(int rank) {
  Core& worker = core(rank);
  worker.working = !worker.jobs.empty();
  if (!worker.working) return;
  const Job job = worker.jobs.front();
  worker.jobs.pop_front();
  const Micros time = cost(job, worker);
  (job.sending ? worker.sending : worker.taking) += time;
  events_.after(time, [this, job] {
    const Message& message = messages_[job.message];
    end_job(job.sending ? message.from : message.to, job);
  });
}

void Network::end_job(int rank, Job job) {
  if (job.sending) {
    pass_links(job.message);
  } else {
    --core(rank).waiting;
    const Message message = messages_[job.message];
    free_messages_.push_back(job.message);
    users_.taken(message);
  }
  start_job(rank);
}

void Network::pass_links(std::size_t number) {
  const Message& message = messages_[number];
  if (node_of(message.from) == node_of(message.to)) {
    arrive(number);
    return;
  }
  Link& link = links_[static_cast<std::size_t>(node_of(message.from))];
  const Micros begin = std::max(events_.now(), link.free_out);
  link.free_out = begin + static_cast<double>(message.bytes) / machine_.network.link_mb_s;
  left_[number] = link.free_out;
  events_.at(begin + machine_.network.latency_us, [this, number] { enter_node(number, left_[number]); });
}

void Network::enter_node(std::size_t number, Micros left_at) {
  const Message& message = messages_[number];
  Link& link = links_[static_cast<std::size_t>(node_of(message.to))];
  const Micros own = static_cast<double>(message.bytes) / machine_.network.link_mb_s;
  link.free_in = std::max(std::max(events_.now(), link.free_in) + own, left_at + machine_.network.latency_us);
  events_.at(link.free_in, [this, number] { arrive(number); });
}

void Network::arrive(std::size_t number) {
  Core& receiver = core(messages_[number].to);
  most_waiting_ = std::max(most_waiting_, ++receiver.waiting);
  users_.arrived(number);
}

}  // namespace weir::sim
