#pragma once

#include "annotation/campaign.hpp"
#include "annotation/monitoring.hpp"

#include <string>

namespace touchstone::annotation {

/// What a paper says of the campaign: who judged what, how, and with what agreement, in plain sentences. Numbers that
/// are not known yet are left out. Pure.
std::string methods_paragraph(const CampaignNumbers& numbers, const Campaign& campaign);

/// The same numbers as a table in LaTeX, as table 1 of the FiRA paper (Hofstätter et al., CIKM 2020). Needs booktabs.
std::string methods_table(const CampaignNumbers& numbers, const Campaign& campaign);

/// What the agreement was computed from, in sentences. \pre numbers.agreement is not empty
std::string agreement_basis(const CampaignNumbers& numbers);

/// "0.62 (0.55 to 0.68)"; "not defined" for NaN, and the value alone without an interval.
std::string with_interval(double value, const analysis::agreement::Interval& interval, int digits = 2);

}  // namespace touchstone::annotation
