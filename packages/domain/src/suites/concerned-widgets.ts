/**
 * The tools whose widgets a case uses or makes assertions about. A trial renders only the widgets
 * of these tools.
 */
import type { PlannedCase } from './planned-case.ts';

export interface ConcernedWidgets {
  readonly toolNames: ReadonlySet<string>;
  /**
   * True if an assertion about widgets names no tool, so that the widgets of all tools are needed.
   */
  readonly ofEveryTool: boolean;
}

/** Returns undefined if the case needs no widget. */
export function concernedWidgets({
  steps,
  assertions,
}: Pick<PlannedCase, 'steps' | 'assertions'>): ConcernedWidgets | undefined {
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  const named: (string | undefined)[] = steps.flatMap((step) =>
    step.kind === 'interact' ? [step.toolName] : [],
  );
  for (const one of [...asserted, ...assertions]) {
    if ('kind' in one) named.push(one.toolName);
    else if (isAboutWidgets(one)) named.push(one.toolName);
  }
  if (named.length === 0) return undefined;
  const toolNames = new Set(named.flatMap((name) => name ?? []));
  return { toolNames, ofEveryTool: named.includes(undefined) };
}

function isAboutWidgets(assertion: {
  readonly type: string;
}): assertion is { readonly type: string; readonly toolName?: string } {
  return assertion.type.startsWith('widget');
}
