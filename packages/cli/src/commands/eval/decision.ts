import { decisionFormats } from '@proofmark/report';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { writeDecision } from '../../remote/decision-report.ts';
import { decisionText } from '../../remote/decision-text.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { fetchDecision } from '../../remote/fetch-decision.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { writeOutput } from '../../remote/write-output.ts';

type Formats = { readonly [format in (typeof decisionFormats)[number]]?: true };

interface Flags extends ConnectionFlags, Formats {
  readonly output?: string;
}

export function evalDecisionCommand(): Command {
  const command = remoteCommand('decision')
    .description('explain the verdict of a run; exits with 0 for every verdict')
    .argument('<run>', 'the id of the run')
    .option('--markdown', 'write Markdown, for a comment on a pull request')
    .option('--json', 'print the decision summary as JSON')
    .option('--junit', 'write JUnit XML: a test case for each case of the run')
    .option('--html', 'write one HTML file that needs nothing else')
    .option('-o, --output <file>', 'write it to a file instead of standard output')
    .action((runId: string, flags: Flags) =>
      remotely(async () => {
        const [format, another] = decisionFormats.filter((one) => flags[one]);
        if (another !== undefined)
          throw new UsageProblem(`Give only one of --${format} and --${another}.`);
        const connection = await connectToService(flags);
        const isFile = format !== undefined && format !== 'markdown';
        const decision = await fetchDecision(connection, runId, isFile ? 'all' : 'first');
        const { ascii, width } = terminalAbility();
        const text =
          format === undefined
            ? decisionText(connection, decision, {
                format: 'text',
                width,
                listsPassed: true,
                ascii: ascii && flags.output === undefined,
              })
            : await writeDecision(connection, decision, format);
        await writeOutput(text, flags.output);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval decision run_1f3a',
    'proofmark eval decision run_1f3a --markdown >> "$GITHUB_STEP_SUMMARY"',
    'proofmark eval decision run_1f3a --junit --output report.xml',
    'proofmark eval decision run_1f3a --html --output report.html',
  );
}
