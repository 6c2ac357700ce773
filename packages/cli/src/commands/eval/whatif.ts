import type { OutputOf } from '@proofmark/contract';
import {
  countForWhatIf,
  type RunOfWhatIf,
  SurfaceOverlay,
  seedOfWhatIf,
  type WhatIf,
  whatIf,
  whatIfSentence,
  whatIfStages,
} from '@proofmark/domain';
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
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { errorWithKeyFlag, modelKeyFlag, readModelKeys } from '../../remote/model-keys.ts';
import { readGivenFields } from '../../remote/read-given-file.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { warningText } from '../../remote/warning-text.ts';
import { watchRun } from '../../remote/watch-run.ts';
import { readTrialsPerCase } from './run.ts';

interface Flags extends ConnectionFlags {
  readonly overlay: string;
  readonly runs?: number;
  readonly environment?: string;
  readonly modelKey?: readonly string[];
  readonly json?: true;
}

export function evalWhatIfCommand(): Command {
  const command = remoteCommand('whatif')
    .description('run a suite with and without an overlay of its tools, and compare')
    .argument('<suite>', 'the id or the name of the suite')
    .requiredOption('--overlay <file>', 'the overlay, as JSON')
    .option(
      '--runs <number>',
      'repetitions of every case on each side (1 to 100)',
      readTrialsPerCase,
    )
    .option('--environment <id>', 'an environment of the suite')
    .option(...modelKeyFlag)
    .option('--json', 'print the result as JSON')
    .action((wanted: string, flags: Flags) => remotely(() => tryOverlay(wanted, flags)));
  return withExamples(
    command,
    'proofmark eval whatif Bookshop --overlay better-words.json --runs 10',
  );
}

type Run = OutputOf<'getEvalRun'>;

/**
 * Runs a what-if. Exit codes: 0 if the overlay is better or no worse, 1 if it is worse, 3 if that
 * could not be decided.
 */
async function tryOverlay(wanted: string, flags: Flags): Promise<number> {
  const overlay = await readOverlay(flags.overlay);
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const connection = await connectToService(flags);
  const suiteId = await findSuiteId(connection, wanted);
  const body = {
    suiteId,
    // A seed in the case, client or suite takes precedence over this seed.
    seed: seedOfWhatIf(Math.random()),
    ...(flags.modelKey !== undefined && { modelApiKeys }),
    ...(flags.environment !== undefined && { environmentId: flags.environment }),
    ...(flags.runs !== undefined && { iterationOverride: flags.runs }),
  };
  // The run with the overlay is launched first. If the service rejects the overlay, the base run
  // has not been started.
  const changed = await launch(connection, { ...body, overlay });
  const base = await launch(connection, body);
  const ended = [await endedRun(connection, base), await endedRun(connection, changed)] as const;
  const [was, is] = ended;
  if (was === undefined || is === undefined) return exitCodes.other;
  const compared = await connection.client.compareEvalRun({
    projectId: connection.projectId,
    runId: changed,
    baseRunId: base,
  });
  if (compared.cases.some((one) => one.configChanged || one.evaluationConfigChanged)) {
    printNotice('the suite was edited between the two launches, so they cannot be compared.');
    return exitCodes.other;
  }
  const result = whatIf(was.counts, is.counts);
  if (flags.json) printJson({ base: shown(was.run), overlay: shown(is.run), ...result });
  else printResult(result, { base: was.counts, overlay: is.counts });
  if (result.outcome === 'insufficient') return exitCodes.other;
  return result.outcome === 'worse' ? exitCodes.failed : exitCodes.passed;
}

async function readOverlay(file: string): Promise<SurfaceOverlay> {
  const read = SurfaceOverlay.safeParse(await readGivenFields(file));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageProblem(`${file}: ${issue?.path.join('.') || 'overlay'}: ${issue?.message}`);
}

async function launch(
  { client, projectId }: Connection,
  body: Parameters<Connection['client']['createEvalRun']>[0]['body'],
): Promise<string> {
  const launching = client.createEvalRun({ projectId, body });
  const { runId, warnings } = await launching.catch((error: unknown) => {
    throw errorWithKeyFlag(error);
  });
  for (const warning of warnings) printNotice(warningText(warning));
  printNotice(`run ${runId} has started${'overlay' in body ? ' under the overlay' : ''}.`);
  return runId;
}

async function endedRun(
  connection: Connection,
  runId: string,
): Promise<{ readonly run: Run; readonly counts: RunOfWhatIf } | undefined> {
  if ((await watchRun(connection, runId)) === undefined) return undefined;
  const { client, projectId } = connection;
  const run = await client.getEvalRun({ projectId, runId });
  if (run.status !== 'completed') {
    printNotice(`run ${runId} did not complete, so there is nothing to compare.`);
    return undefined;
  }
  const { cases } = await client.getEvalRunStages({ projectId, runId });
  return { run, counts: countForWhatIf(cases) };
}

function shown({ id, runNumber, verdict, summary, seed, overlay }: Run) {
  return {
    runId: id,
    runNumber,
    verdict,
    summary,
    seed,
    ...(overlay && { overlayHash: overlay.hash }),
  };
}

function printResult(result: WhatIf, counts: Record<'base' | 'overlay', RunOfWhatIf>): void {
  const wrap = sentenceWrapper(terminalAbility());
  for (const sentence of [whatIfSentence(result, counts), ...whatIfStages(result)]) {
    for (const line of wrap(sentence)) printLine(line);
  }
}
