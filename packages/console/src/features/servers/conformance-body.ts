import type { BodyInputOf } from '@proofmark/contract';
import { conformanceRevisions } from '@proofmark/domain';

/** Lines may be copied from the suite's file, where each begins with a dash. */
export function conformanceBody(
  spec: string,
  expected: string,
): BodyInputOf<'runServerConformance'> {
  const revision = conformanceRevisions.find((one) => one === spec);
  const entries = expected
    .split('\n')
    .map((line) => line.replace(/^\s*-\s+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line !== 'server:');
  return {
    ...(revision !== undefined && { spec: revision }),
    ...(entries.length > 0 && { expectedFailures: entries }),
  };
}
