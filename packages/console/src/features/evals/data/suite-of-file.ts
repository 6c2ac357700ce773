/**
 * Finds the suite that a file would replace: by the suite's id, or by the id in the file that the
 * suite was created from.
 */
import { readAllPages } from '@proofmark/client';
import type { SuiteFile } from '@proofmark/domain';
import { useQuery } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { ReplacedSuite } from '../suites/import-words.ts';

/**
 * The maximum number of suites of the same name whose files are read, since only the file holds the
 * origin of a suite.
 */
const mostRead = 10;

export function useSuiteOfFile(projectId: string, { id, name }: SuiteFile['suite']) {
  return useQuery({
    queryKey: [...allBelow('listEvalSuites', { projectId }), 'of-file', id, name],
    queryFn: async ({ signal }): Promise<ReplacedSuite | null> => {
      const suites = await readAllPages((page) =>
        client.listEvalSuites({ projectId, ...page }, { signal }),
      );
      const fileIdOf = async (suiteId: string) => {
        const ids = { projectId, suiteId, format: 'json' as const };
        const { content } = await client.exportEvalSuite(ids, { signal });
        return (JSON.parse(content) as SuiteFile).suite.id;
      };
      let found = suites.find((one) => one.id === id);
      for (const one of suites.filter((other) => other.name === name).slice(0, mostRead)) {
        if (found === undefined && (await fileIdOf(one.id)) === id) found = one;
      }
      if (found === undefined) return null;
      const ids = { projectId, suiteId: found.id };
      const cases = await readAllPages((page) =>
        client.listEvalCases({ ...ids, ...page }, { signal }),
      );
      return { name: found.name, cases: cases.length };
    },
    gcTime: 0,
  });
}
