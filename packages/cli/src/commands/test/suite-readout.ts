/**
 * Reads what the report of a tested suite needs beyond its decision: passed trials, the tools of
 * its servers, and the line number of each case.
 */
import { canonicalJson, canonicalToolSurface } from '@proofmark/domain';
import type { DocumentedSurface, SuiteReadout } from '@proofmark/report';
import { readCaseHashes } from '../../data-files/case-hashes.ts';
import { readCaseLines } from '../../data-files/case-lines.ts';
import { readScoredCases } from '../../data-files/scored-cases.ts';
import { type FetchedDecision, readTrials } from '../../remote/fetch-decision.ts';
import type { TestConnection } from './open-service.ts';
import { sha256Hex } from './record-files.ts';
import type { SuiteToTest } from './suite-files.ts';

/**
 * With `readsAll`, reads every trial and the tools, because JSON and other reports for programs
 * contain them. The text report only names the models, so one page of trials suffices.
 */
export async function readSuiteReadout(
  connection: TestConnection,
  { file, id, content }: Pick<SuiteToTest, 'file' | 'id' | 'content'>,
  { run, summary, notPassed, calls, surface: changes }: FetchedDecision,
  named: Pick<SuiteReadout, 'name' | 'exitCode' | 'url' | 'quarantine'>,
  readsAll: boolean,
): Promise<SuiteReadout> {
  const { items: passed } = await readTrials(
    connection,
    run.id,
    'passed',
    readsAll ? undefined : 1,
  );
  const surface = readsAll
    ? await readTools(connection, run.id, [...passed, ...notPassed])
    : undefined;
  return {
    ...named,
    file,
    id,
    summary,
    run,
    passed,
    notPassed,
    calls,
    changes,
    surface,
    lineOf: await readCaseLines(content),
    hashOf: await readCaseHashes(content),
    asksScorer: await readScoredCases(content),
  };
}

/**
 * Maximum number of trials whose tools are requested. Several are needed, because a trial that
 * could not connect has no tools.
 */
const askedTrials = 5;

async function readTools(
  { client, projectId }: TestConnection,
  runId: string,
  trials: readonly { readonly id: string }[],
): Promise<DocumentedSurface | undefined> {
  for (const { id: iterationId } of trials.slice(0, askedTrials)) {
    const read = await client
      .getEvalIterationTools({ projectId, runId, iterationId })
      .catch(() => undefined);
    if (read === undefined || read.servers.length === 0) continue;
    const servers = read.servers
      .map(({ serverName, serverId, tools }) => ({
        name: serverName ?? serverId,
        hash: sha256Hex(canonicalToolSurface(tools)),
        tools: tools.map(({ name }) => name),
        listed: tools,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const hashes = servers.map(({ name, hash }) => ({ name, hash }));
    return { hash: sha256Hex(canonicalJson(hashes)), servers };
  }
  return undefined;
}
