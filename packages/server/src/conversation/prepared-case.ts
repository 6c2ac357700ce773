import {
  type AuthoredFacts,
  authoredFacts,
  type CaseScorers,
  type ConcernedWidgets,
  caseScorers,
  concernedWidgets,
  expectedCallsOf,
  needsWidget,
  type PlannedCase,
  type ProjectedSteps,
  projectSteps,
  type StatedRow,
  statedRows,
  type ToolCall,
} from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import { isOutside } from './external-assertions.ts';

export interface PreparedCase {
  readonly projected: ProjectedSteps;
  readonly authored: AuthoredFacts;
  readonly needsWidget: boolean;
  readonly widgets: ConcernedWidgets | undefined;
  readonly expected: readonly ToolCall[];
  readonly scorers: CaseScorers;
  readonly asksOutside: boolean;
  /** All assertions; those in steps have the index of their turn. */
  readonly rows: readonly StatedRow[];
}

export function preparedCase(planned: PlannedCase): PreparedCase {
  const known = prepared.get(planned);
  if (known !== undefined) return known;
  const projected = projectSteps(planned.steps);
  const made = {
    projected,
    rows: statedRows(projected, planned.assertions),
    authored: authoredFacts(planned),
    needsWidget: needsWidget(planned),
    widgets: concernedWidgets(planned),
    expected: expectedCallsOf(planned),
    scorers: caseScorers(planned, sha256Hex),
    asksOutside: planned.assertions.some(isOutside),
  };
  prepared.set(planned, made);
  return made;
}

const prepared = new WeakMap<PlannedCase, PreparedCase>();
