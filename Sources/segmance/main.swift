// The command line: finds the command, and turns how it ended into an exit code.

import Glibc

exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
