import type { Progress } from '@proofmark/client';
import type { DoctorReport } from '@proofmark/contract';
import { type DoctorCheckName, doctorChecks, widgetsSentence } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printLine } from '../output.ts';
import {
  checkLines,
  type DoctorFinding,
  doctorVerdict,
  excludedToolLines,
  revisionLines,
} from '../remote/doctor-lines.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { sentenceWrapper } from '../remote/indented-lines.ts';
import {
  type AskedServerFlags,
  askServer,
  serverFirstCommand,
  serverNamed,
} from '../remote/server-command.ts';
import { terminalAbility } from '../remote/terminal.ts';

export function doctorCommand(): Command {
  return withExamples(
    serverFirstCommand('doctor')
      .description('examine a server step by step; exits with 0 if it is ready, otherwise 3')
      .action((server: string | undefined, flags: AskedServerFlags) => {
        const printedChecks = new Set<DoctorCheckName>();
        const printCheck = (check: DoctorCheckName, finding: DoctorFinding) => {
          printedChecks.add(check);
          for (const line of checkLines(check, finding, terminalAbility())) printLine(line);
        };
        return askServer<DoctorReport>(
          serverNamed(server, flags),
          ({ client, projectId, serverId }, as) =>
            client.watch('runDoctor', { projectId, serverId, body: as }, (progress) => {
              if (!flags.json) printCheck(...findingOf(progress));
            }),
          (report, ability) => {
            // Prints the checks for which no progress event arrived.
            for (const check of doctorChecks)
              if (!printedChecks.has(check)) printCheck(check, report.checks[check]);
            const wrap = sentenceWrapper(ability);
            const { widgets } = report;
            const shown = widgets === undefined ? [] : wrap(`Widgets: ${widgetsSentence(widgets)}`);
            const { revisions, excludedTools } = report;
            return [
              ...withGap(revisionLines(ability, revisions)),
              ...withGap(excludedToolLines(ability, excludedTools)),
              '',
              ...wrap(doctorVerdict(report)),
              ...shown,
            ];
          },
          ({ status }) => (status === 'ready' ? exitCodes.passed : exitCodes.other),
        );
      }),
    'proofmark doctor',
    'proofmark doctor Bookshop --as "Claude Desktop"',
  );
}

function withGap(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function findingOf({ check, ...finding }: Progress): [DoctorCheckName, DoctorFinding] {
  return [check as DoctorCheckName, finding as unknown as DoctorFinding];
}
