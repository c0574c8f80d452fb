#include "experiments/cli/commands.h"
#include "experiments/report/report.h"
#include "experiments/run/console.h"
#include "validation/file_output.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace repose::cli {

namespace {

struct ReportArguments {
  std::string folder;
  std::string out;
  bool quiet = false;
};

int report(const ReportArguments& a) {
  const std::filesystem::path file =
      a.out.empty() ? std::filesystem::path(a.folder) / "report.html" : std::filesystem::path(a.out);
  std::error_code error;
  if (std::filesystem::is_directory(a.folder, error))  // else make_report() says what is wrong
    require_writable(a.out.empty() ? "report" : "--out", file);
  const experiments::Report made = experiments::make_report(a.folder);
  replace_file(file, made.html);
  for (const std::string& what : made.left_out) experiments::tell("repose: left out {}\n", what);
  if (!a.quiet) {
    for (const std::string& line : made.claim_lines) experiments::print("{}\n", line);
    experiments::print("{} figures, {} verifications, {} verdicts against\n{}\n{}\n", made.figures,
                       made.verifications, made.failed,
                       std::filesystem::absolute(file).lexically_normal().string(), describe(made.claims));
  }
  return 0;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ReportArguments>();
  ReportArguments& a = *arguments;
  CLI::App* command = app.add_subcommand("report", "Make one web page of all results in a folder");
  command
      ->add_option("folder", a.folder, "Folder with results of `repose reproduce` and `repose verify --json`")
      ->required()
      ->type_name("DIR");
  command->add_option("--out", a.out, "File to write [DIR/report.html]")->type_name("FILE");
  command->add_flag("--quiet", a.quiet, "Print nothing");
  command->footer(
      "Example:\n  repose verify --json out/verify.json\n  repose reproduce --starred --out out\n  repose "
      "report out\n\n"
      "It opens with a line per figure that says whether the paper's claim holds, at the preset of the run "
      "and\n"
      "at desk as kept with the source; the last line printed counts claims held, not held and undecided.\n"
      "The page holds its pictures and asks for nothing from the network. Damaged results are left out; the\n"
      "page and standard error name them. Exit code 0 whatever the verdicts: they belong to the commands "
      "that\n"
      "made the results.");
  command->callback([arguments, &exit_code] { exit_code = report(*arguments); });
}

}  // namespace repose::cli
