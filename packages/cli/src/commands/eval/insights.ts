import type { OutputOf } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine, printNotice } from '../../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { follow } from '../../remote/follow.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';

type Run = OutputOf<'getEvalRun'>;

interface Flags extends ConnectionFlags {
  readonly explain?: true;
  readonly json?: true;
}

export function evalInsightsCommand(): Command {
  const command = remoteCommand('insights')
    .description('show the findings of an ended run with their explanation')
    .argument('<run>', 'the id of the run')
    .option('--explain', 'request an explanation if there is none, and wait for it')
    .option('--json', 'print the insights as JSON')
    .action((runId: string, flags: Flags) => remotely(() => printInsights(runId, flags)));
  return withExamples(
    command,
    'proofmark eval insights run_1f3a',
    'proofmark eval insights run_1f3a --explain',
  );
}

async function printInsights(runId: string, flags: Flags): Promise<number> {
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  if (flags.explain) await client.requestEvalRunInsights({ projectId, runId, body: {} });
  const run = await (flags.explain
    ? awaitInsights(connection, runId)
    : client.getEvalRun({ projectId, runId }));
  if (run === undefined) return exitCodes.other;
  if (flags.json) printJson(run.insights ?? null);
  else for (const line of insightsLines(run, terminalAbility())) printLine(line);
  return run.insights?.status === 'failed' ? exitCodes.other : exitCodes.passed;
}

function awaitInsights({ client, projectId }: Connection, runId: string): Promise<Run | undefined> {
  return follow<Run>({
    ask: () => client.getEvalRun({ projectId, runId }),
    isEnded: ({ insights }) => insights?.status !== 'pending',
    reportProgress: () => undefined,
    print: printNotice,
    onLost: () => printNotice(`read it later: proofmark eval insights ${runId}`),
  });
}

export function insightsLines(
  { id, insights }: Pick<Run, 'id' | 'insights'>,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  switch (insights?.status) {
    case undefined:
    case 'not_available':
      return wrap('There are no insights: the run has not ended, or nothing was examined.');
    case 'not_requested': {
      const found = insights.candidateCount;
      if (found === undefined) {
        return wrap(
          `There are no insights yet. Request them: proofmark eval insights ${id} --explain`,
        );
      }
      if (found === 0) return wrap('There are no findings in this run.');
      return wrap(
        `${count(found, 'finding')} without an explanation. Request one: proofmark eval insights ${id} --explain`,
      );
    }
    case 'pending':
      return wrap('The explanation is being written; run this command again in a moment.');
    case 'failed':
      return wrap(
        `The explanation failed: ${insights.error?.message ?? 'no reason was recorded'}. Request it again: proofmark eval insights ${id} --explain`,
      );
    case 'completed':
      return [
        ...wrap(insights.summary ?? 'There are no findings in this run.'),
        ...insights.findings.flatMap((finding) => [
          '',
          ...wrap(`${finding.title} (${finding.severity})`),
          ...wrap(finding.observed, '  '),
          ...wrap(
            `Seen in ${grouped(finding.affected.count)} of ${count(finding.affected.total, finding.affected.unit.replace(/s$/, ''))}.`,
            '  ',
          ),
          ...(finding.rootCause === undefined ? [] : wrap(`Why: ${finding.rootCause}`, '  ')),
          ...wrap(`Next: ${finding.recommendation}`, '  '),
        ]),
      ];
  }
}
