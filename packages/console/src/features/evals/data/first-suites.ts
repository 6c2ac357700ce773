/**
 * Finds the suites that test a server. Creates the first two from its tools: prompts for the
 * built-in model, and a contract without a model. To learn valid values, each read-only tool is
 * called once.
 */
import { readAllPages } from '@proofmark/client';
import type { EvalSuite } from '@proofmark/contract';
import {
  draftFirstSuites,
  firstSuiteTexts,
  idOf,
  type LeftOutOfDraft,
  lexicalModelId,
  type SampleAnswer,
  type SampleCall,
  sampleAnswerOf,
  sampleCalls,
  toolToDraft,
} from '@proofmark/domain';
import { useQueries } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import {
  operationQuery,
  pollWhile,
  useSeveral,
  useWholeList,
} from '../../../kit/data/operations.ts';
import type { ServerIds } from '../../../kit/data/server-lists.ts';

/**
 * Maximum number of suites whose servers are read, newest first. Each suite takes one request,
 * because the list of suites does not contain their servers.
 */
const mostAsked = 20;

/** Undefined until the suites are known. */
export function useSuitesOf({ projectId, serverId }: ServerIds): EvalSuite[] | undefined {
  const suites = useWholeList(
    'listEvalSuites',
    { projectId },
    { refetchInterval: pollWhile((all) => all.some(({ latestRun }) => isUnderWay(latestRun))) },
  );
  const asked = (suites.data ?? []).slice(0, mostAsked);
  const details = useQueries({
    queries: asked.map(({ id: suiteId }) => operationQuery('getEvalSuite', { projectId, suiteId })),
  });
  if (suites.data === undefined || details.some(({ isPending }) => isPending)) return undefined;
  return asked.filter((_, at) => details[at]?.data?.environment.serverIds.includes(serverId));
}

function isUnderWay(run: EvalSuite['latestRun']): boolean {
  return run !== null && (run.status === 'pending' || run.status === 'running');
}

export function useRunSuites(projectId: string) {
  return useSeveral(
    (suites: readonly { readonly id: string }[]) => runAll(projectId, suites),
    [allBelow('listEvalSuites', { projectId })],
    { isPartly: true },
  );
}

export function useTestServer(ids: ServerIds) {
  const { projectId, serverId } = ids;
  return useSeveral(
    async (serverName: string): Promise<{ readonly leftOut: readonly LeftOutOfDraft[] }> => {
      const tools = (await readAllPages((page) => client.listTools({ ...ids, body: page }))).map(
        (tool) => toolToDraft(serverName, tool),
      );
      if (tools.length === 0) throw new Error('It lists no tools, so there is nothing to test.');
      const drafts = draftFirstSuites({ tools, answers: await callAll(ids, sampleCalls(tools)) });
      // The timestamp makes the id unique. An existing id would replace a suite that a person may
      // have edited.
      const suiteId = `${idOf(serverName).slice(0, 80)}-${Date.now().toString(36)}`;
      const head = { serverName, suiteId, reached: {}, model: lexicalModelId };
      const { prompts, contract } = firstSuiteTexts(drafts, head);
      const made = [];
      for (const content of [contract, prompts]) {
        const body = { content, serverIds: { [serverName]: serverId } };
        made.push({ id: (await client.importEvalSuite({ projectId, body })).suiteId });
      }
      await runAll(projectId, made);
      return { leftOut: drafts.leftOut };
    },
    [allBelow('listEvalSuites', { projectId })],
    { isPartly: true },
  );
}

async function runAll(projectId: string, suites: readonly { readonly id: string }[]) {
  for (const { id: suiteId } of suites) {
    await client.createEvalRun({ projectId, body: { suiteId } });
  }
}

async function callAll(ids: ServerIds, calls: readonly SampleCall[]): Promise<SampleAnswer[]> {
  const answers: SampleAnswer[] = [];
  for (const call of calls) {
    const body = { toolName: call.toolName, parameters: call.arguments };
    answers.push(
      await client.callTool({ ...ids, body }).then(
        (result) => sampleAnswerOf(call, result),
        (error: Error) => ({ ...call, outcome: 'failed' as const, message: error.message }),
      ),
    );
  }
  return answers;
}
