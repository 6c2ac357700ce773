/** One suite of a test: imported, run, followed to its end, and decided. */
import { cleanText, count, knownOfRun, renderSummary, runPage, waiverOf } from '@proofmark/domain';
import { printNotice } from '../../output.ts';
import { exitCodes, runExitCode, UsageProblem } from '../../remote/exit-codes.ts';
import { type FetchedDecision, fetchDecision } from '../../remote/fetch-decision.ts';
import { findingLines } from '../../remote/finding-lines.ts';
import { followRun } from '../../remote/follow-run.ts';
import { tellMissingKey } from '../../remote/model-keys.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';
import { warningText } from '../../remote/warning-text.ts';
import type { OpenedService } from './open-service.ts';
import type { SuiteToTest } from './suite-files.ts';

export interface TestWish {
  readonly model?: string;
  readonly repetitions?: number;
  readonly modelApiKeys: Readonly<Record<string, string>>;
  readonly json?: true;
}

export interface TestedSuite {
  readonly file: string;
  readonly name: string;
  readonly runId: string;
  readonly decision: FetchedDecision;
  readonly exitCode: number;
}

const defaultModel = 'proofmark/lexical-1';

export async function testSuite(
  { connection }: OpenedService,
  suite: SuiteToTest,
  serverIds: Record<string, string> | undefined,
  wish: TestWish,
): Promise<TestedSuite> {
  const { client, projectId } = connection;
  const model = wish.model ?? (suite.needsModel ? defaultModel : undefined);
  const made = await client
    .importEvalSuite({
      projectId,
      body: {
        ...suite.toSend,
        ...(serverIds !== undefined && { serverIds }),
        ...(model !== undefined && { model }),
      },
    })
    .catch((error: unknown) => refuseFindings(suite.file, error));
  for (const warning of made.warnings) printNotice(warningText(warning));
  const { modelApiKeys, repetitions } = wish;
  const { runId } = await client
    .createEvalRun({
      projectId,
      body: {
        suiteId: made.suiteId,
        ...(Object.keys(modelApiKeys).length > 0 && { modelApiKeys: { ...modelApiKeys } }),
        ...(repetitions !== undefined && { iterationOverride: repetitions }),
      },
    })
    .catch((error: unknown) => {
      tellMissingKey(error);
      throw error;
    });
  await followRun(connection, runId, tellProgressOf(made.name));
  const decision = await fetchDecision(connection, runId, wish.json ? 'all' : 'first');
  const { run, summary } = decision;
  const exitCode = runExitCode(run.status, summary.verdict, waiverOf(run) !== undefined);
  return { file: suite.file, name: made.name, runId, decision, exitCode };
}

/** In one line that is written over at a terminal; elsewhere nothing, since the end tells it all. */
function tellProgressOf(name: string): (sentence: string) => void {
  if (!process.stderr.isTTY) return () => undefined;
  const { ascii, width } = terminalAbility();
  return (sentence) => {
    const line = cleanText(`${name}: ${sentence}`, ascii).slice(0, width - 1);
    process.stderr.write(`\r\u001b[2K${line}`);
  };
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
}

/** All that is wrong, and then how much it is. */
function refuseFindings(file: string, error: unknown): never {
  const { amount, lines } = findingLines(error, terminalAbility().width - 'proofmark: '.length);
  if (amount === 0) throw error;
  for (const line of lines) printNotice(line);
  throw new UsageProblem(`${file}: ${count(amount, 'mistake')}; nothing was run.`);
}

/** A failed suite wins over one without a result, and that over one that passed. */
export function exitCodeOf(tested: readonly Pick<TestedSuite, 'exitCode'>[]): number {
  const codes = tested.map(({ exitCode }) => exitCode);
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  return codes.find((code) => code !== exitCodes.passed) ?? exitCodes.passed;
}

/** The decision, and how to look at the run: it outlives the service of the test. */
export function testedText(
  { name, runId, decision }: TestedSuite,
  { consoleUrl, isOver }: Pick<OpenedService, 'consoleUrl' | 'isOver'>,
  terminal: TerminalAbility,
): string {
  const { run, summary, calls, isAll } = decision;
  const console = consoleUrl && { baseUrl: consoleUrl, projectId: run.projectId };
  const text = renderSummary(summary, {
    ...{ format: 'text', ...terminal, ...knownOfRun(run, isAll), calls, title: name },
    ...{ waiver: waiverOf(run), caseTitles: run.caseTitles, judges: run.judges },
    ...(console ? { console, namesPage: false } : {}),
  });
  if (!console) return text;
  const start = isOver ? 'Look at it: start `proofmark serve`, then open' : 'Look at it:';
  return `${text}\n${start}\n${runPage(console, runId)}\n`;
}

export function testedJson(
  { file, name, runId, decision, exitCode }: TestedSuite,
  { consoleUrl }: Pick<OpenedService, 'consoleUrl'>,
): object {
  const { projectId } = decision.run;
  const url = consoleUrl && { url: runPage({ baseUrl: consoleUrl, projectId }, runId) };
  return { file, suite: name, runId, exitCode, ...url, summary: decision.summary };
}
