/**
 * Reads assertion results of a report from `metadata.predicates`, at case level and per turn.
 * Without that list, it reads the results inside the turn summaries. A result must name the type of
 * its assertion (`kind` for a widget assertion) and say whether it passed.
 */
import type { StatedRow } from '../assertions/assertion-kind.ts';
import { isRecord } from '../kernel/json.ts';
import { toIndex, toList } from './loose-values.ts';
import type { AssertionEvidence } from './trial-evidence.ts';

export interface ReportedAssertion {
  readonly evidence: AssertionEvidence;
  readonly row: StatedRow;
}

export function readAssertions(
  metadata: unknown,
  prompts: readonly unknown[],
): readonly ReportedAssertion[] {
  const listed = isRecord(metadata) ? metadata['predicates'] : undefined;
  if (Array.isArray(listed)) return listed.flatMap((result) => readAssertion(result));
  return prompts.flatMap((turn) =>
    isRecord(turn)
      ? toList(turn['predicateResults']).flatMap((result) =>
          readAssertion(result, toIndex(turn['promptIndex'])),
        )
      : [],
  );
}

function readAssertion(result: unknown, turnIndex?: number): readonly ReportedAssertion[] {
  if (!isRecord(result) || !isRecord(result['predicate'])) return [];
  const { predicate, passed, reason, scope } = result;
  const type = predicate['type'] ?? predicate['kind'];
  if (typeof type !== 'string' || typeof passed !== 'boolean') return [];
  const promptIndex = isRecord(scope) ? toIndex(scope['promptIndex']) : turnIndex;
  const evidence = {
    type,
    passed,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(promptIndex === undefined ? {} : { promptIndex }),
    ...(predicate['role'] === 'advisory' ? { advisory: true } : {}),
    ...(result['evaluatorError'] === true ? { unanswered: true } : {}),
  };
  return [{ evidence, row: { assertion: predicate, promptIndex } }];
}
