#include "reproduce/command_line.h"

namespace weir::tool::reproduce {

ReproduceCommandLine::ReproduceCommandLine(CLI::App& app)
    : reproduce_(
          app.add_subcommand("reproduce", "Show the papers' claims: what was run, what came out, and if it agrees")) {
  reproduce_->add_option("claim", options_.claims,
                         "Numbers or names of claims, or a paper: gpfs, domains, beffio, tam, iec");
  reproduce_->add_flag("--list", options_.list, "Only list the claims");
  reproduce_->add_flag("--no-live", no_live_, "Leave out what is measured on this machine");
  reproduce_->add_flag("--full", options_.setting.full, "The papers' largest cases too, which take long");
  reproduce_->add_option("-o,--output", options_.page, "Also write a page with the papers' figures for the browser");
  reproduce_->add_flag("--markdown", options_.markdown, "Print a table in Markdown");
  reproduce_->add_option("--dir", options_.setting.directory, "Where live runs put their files")->capture_default_str();
  reproduce_->allow_extras();
}

ReproduceOptions ReproduceCommandLine::options() const {
  ReproduceOptions options = options_;
  options.setting.live = !no_live_;
  return options;
}

}  // namespace weir::tool::reproduce
