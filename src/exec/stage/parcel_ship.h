// ParcelShip: local aggregators send and receive for their ranks, one message per round and aggregator with bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/stage/freight.h"
#include "exec/stage/packing.h"
#include "exec/stage/ship.h"

namespace weir::exec {

// Three steps in a round: ranks pack their bytes in their local aggregator's buffer, local aggregators send, and
// aggregators receive into their window. Reading, the steps come in the reverse order.
class ParcelShip final : public Ship {
 public:
  // Rounds of parcels from or to other groups that are in hand at a time, each in a buffer of the schedule's
  // freight_buffer_bytes.
  static std::size_t freight_rounds(const plan::Plan& plan) { return static_cast<std::size_t>(plan.depth); }

  ParcelShip(const PlannedCall& call, Mover& mover);

  void exchange(std::int64_t round) override;
  void finish() override;

 private:
  void open_for_packing(std::int64_t round);
  void send_parcels(std::int64_t round);
  void receive_parcels(std::int64_t round);
  void post_parcels(std::int64_t round);
  void post_freight(std::int64_t round);
  void receive_freight(std::int64_t round);
  void send_freight(std::int64_t round);

  std::byte* freight_buffer(std::int64_t round);
  std::vector<comm::Ticket>& tickets_of(std::vector<std::vector<comm::Ticket>>& tickets, std::int64_t round) {
    return tickets[static_cast<std::size_t>(round) % tickets.size()];
  }
  void wait(std::int64_t round, std::vector<comm::Ticket>& tickets);

  const PlannedCall& call_;
  Packing packing_;
  Freight freight_;
  std::vector<std::vector<comm::Ticket>> parcel_sends_;  // by slot
  std::vector<std::vector<comm::Ticket>> freight_tickets_;
  std::vector<std::vector<comm::Ticket>> parcel_receives_;
  std::int64_t parcels_posted_ = 0;  // rounds whose receives are posted
  std::int64_t freight_posted_ = 0;
};

}  // namespace weir::exec
