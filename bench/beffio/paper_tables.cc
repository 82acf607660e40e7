#include "paper_tables.h"

#include "pattern.h"

namespace beffio {

namespace {

constexpr std::array kSets = {
    PaperSet{"everywhere",
             {{197, 188, 104, 338, 13}, 173},
             {{190, 172, 83, 186, 11}, 139},
             {{122, 130, 96, 408, 11}, 148},
             {{157, 155, 95, 335, 12}, 152},
             159.5},
    PaperSet{"nowhere",
             {{284, 277, 435, 541, 524}, 391},
             {{197, 244, 241, 228, 431}, 256},
             {{483, 346, 609, 586, 590}, 516},
             {{362, 303, 473, 485, 534}, 420},
             440.8},
    PaperSet{"by pattern",
             {{397, 282, 423, 533, 502}, 422},
             {{449, 265, 234, 297, 297}, 332},
             {{441, 282, 579, 554, 544}, 473},
             {{432, 278, 454, 485, 472}, 425},
             451.7},
};

}  // namespace

std::vector<TypeValue> PaperRow::values() const {
  std::vector<TypeValue> all;
  for (std::size_t i = 0; i < types.size(); ++i) all.push_back({kAllTypes[i], types[i]});
  return all;
}

std::span<const PaperSet> paper_sets() { return kSets; }

}  // namespace beffio
