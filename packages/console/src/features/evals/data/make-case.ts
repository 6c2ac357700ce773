import { readAllPages } from '@proofmark/client';
import type { BodyInputOf } from '@proofmark/contract';
import { useQuery } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';
import type { CaseBody } from '../suites/case-draft.ts';

interface MadeCase {
  readonly title: string;
}

export type CaseSource =
  | {
      readonly body: (title: string) => CaseBody | undefined;
      /** The server that the case calls. It is added to the suite if missing. */
      readonly serverId?: string;
    }
  | { readonly makeIn: (suiteId: string, title: string) => Promise<MadeCase> };

/** Represents a new suite in the selection of suites. */
export const newSuite = 'new';

export interface SuiteChoice {
  readonly id: string;
  readonly name: string;
  readonly serverIds: readonly string[];
}

/**
 * Maximum number of suites whose servers are read, newest first. Each suite takes one request,
 * because the list of suites does not contain their servers.
 */
const askedSuites = 10;

export function useSuiteChoices(projectId: string, withServers: boolean, enabled: boolean) {
  return useQuery({
    queryKey: [...allBelow('listEvalSuites', { projectId }), 'choices', withServers],
    queryFn: async ({ signal }): Promise<SuiteChoice[]> => {
      const suites = await readAllPages((page) =>
        client.listEvalSuites({ projectId, ...page }, { signal }),
      );
      suites.sort((one, other) => other.createdAt - one.createdAt);
      const asked = withServers ? askedSuites : 0;
      return Promise.all(
        suites.map(async ({ id, name }, at) => {
          if (at >= asked) return { id, name, serverIds: [] };
          const { environment } = await client.getEvalSuite({ projectId, suiteId: id }, { signal });
          return { id, name, serverIds: environment.serverIds };
        }),
      );
    },
    enabled,
    gcTime: 0,
  });
}

interface CaseRequest {
  readonly suiteId: string;
  readonly title: string;
  readonly suite: Omit<BodyInputOf<'createEvalSuite'>, 'tests'>;
}

/**
 * Title of the placeholder case of a new suite, because a suite cannot be empty. The real case
 * replaces it.
 */
const standIn = 'Stands in for the first case';

export function useMakeCase(projectId: string, source: CaseSource) {
  return useSeveral(
    async ({ suiteId, title, suite }: CaseRequest): Promise<MadeCase & { suiteId: string }> => {
      if ('body' in source) {
        const body = source.body(title);
        if (body === undefined) throw new Error('It contains nothing that a case could play.');
        if (suiteId !== newSuite) {
          if (source.serverId !== undefined) await giveServer(projectId, suiteId, source.serverId);
          const made = await client.createEvalCase({ projectId, suiteId, body });
          return { suiteId, title: made.title };
        }
        const tests = [body] as BodyInputOf<'createEvalSuite'>['tests'];
        const made = await client.createEvalSuite({ projectId, body: { ...suite, tests } });
        return { suiteId: made.suiteId, title: body.title };
      }
      if (suiteId !== newSuite) {
        const { title: made } = await source.makeIn(suiteId, title);
        return { suiteId, title: made };
      }
      return makeInNewSuite(projectId, suite, (id) => source.makeIn(id, title));
    },
    [allBelow('listEvalSuites', { projectId })],
  );
}

async function giveServer(projectId: string, suiteId: string, serverId: string): Promise<void> {
  const { environment } = await client.getEvalSuite({ projectId, suiteId });
  if (environment.serverIds.includes(serverId)) return;
  const servers = [...environment.serverIds, serverId];
  await client.updateEvalSuite({ projectId, suiteId, body: { environment: { servers } } });
}

/** Creates a suite and the case in it. If the case cannot be created, the suite is deleted. */
async function makeInNewSuite(
  projectId: string,
  suite: CaseRequest['suite'],
  makeIn: (suiteId: string) => Promise<MadeCase>,
): Promise<MadeCase & { suiteId: string }> {
  const steps = [{ id: 'step-1', kind: 'prompt' as const, prompt: standIn }];
  const body = {
    ...suite,
    settings: { allowWrites: [] },
    tests: [{ title: standIn, steps, disabled: true }],
  };
  const { suiteId, caseUpsert } = await client.createEvalSuite({ projectId, body });
  try {
    const { title } = await makeIn(suiteId);
    const caseId = caseUpsert.committed[0]?.id ?? '';
    await client.deleteEvalCase({ projectId, suiteId, caseId });
    return { suiteId, title };
  } catch (error) {
    await client.deleteEvalSuite({ projectId, suiteId }).catch(() => undefined);
    throw error;
  }
}
