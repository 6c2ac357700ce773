import type { OutputOf } from '@proofmark/contract';
import { cleanText, count, suggestedDays } from '@proofmark/domain';
import { omittedRunsSentence } from '@proofmark/report';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

type FlakyReport = OutputOf<'getEvalSuiteFlaky'>;

export function suiteFlakyCommand(): Command {
  const command = remoteCommand('flaky')
    .description('show which cases are flaky, regressed or steady; exits with 0')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--json', 'print the cases and the suggestion as JSON')
    .action((wanted: string, flags: Flags) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const suiteId = await findSuiteId(connection, wanted);
        const { client, projectId } = connection;
        const report = await client.getEvalSuiteFlaky({ projectId, suiteId });
        if (flags.json) printJson(report);
        else for (const line of flakyLines(report, terminalAbility())) printLine(line);
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark suite flaky Bookshop');
}

export function flakyLines(
  { cases, omittedRuns, suggestion }: FlakyReport,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const omitted = omittedRunsSentence(omittedRuns);
  if (cases.length === 0) return wrap('No case has a graded trial yet.');
  return [
    ...cases.flatMap(({ title, model, state, steady, passed, trials, runs, quarantined }) => [
      ...wrap(`${title}${model === null ? '' : ` on ${model}`}`),
      ...wrap(
        [
          steady && state === 'undetermined' ? 'steady' : state,
          `${passed} of ${count(trials, 'graded trial')} passed over ${count(runs, 'run')} with the same content, model and tools`,
          ...(quarantined ? ['in quarantine'] : []),
        ].join('; '),
        '  ',
      ),
    ]),
    ...(omitted === undefined ? [] : wrap(omitted)),
    ...(suggestion === null
      ? []
      : [
          '',
          ...wrap(`To let the flaky ones fail for ${suggestedDays} days, add to the suite file:`),
          ...suggestion.split('\n').map((line) => cleanLine(line, ability.ascii)),
        ]),
  ];
}

/** Keeps the indentation, because the line is copied into a YAML file. */
function cleanLine(line: string, ascii: boolean): string {
  const indent = line.length - line.trimStart().length;
  return `${line.slice(0, indent)}${cleanText(line, ascii)}`;
}
