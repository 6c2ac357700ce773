import type { Json } from '../kernel/json.ts';
import { widgetOfTool } from '../widgets/widget-of-tool.ts';
import { count } from '../words/sentence.ts';

export interface WidgetsExamined {
  readonly tools: readonly string[];
  readonly testable: boolean;
  readonly reason: string | null;
}

/** Returns undefined if no tool names a widget. */
export function examineWidgets(
  tools: readonly Json[],
  noWidgets: string | null,
): WidgetsExamined | undefined {
  const named = tools.filter((tool) => widgetOfTool(tool) !== undefined);
  if (named.length === 0) return undefined;
  const names = named.map(({ name }) => String(name));
  return { tools: names, testable: noWidgets === null, reason: noWidgets };
}

const mostNamed = 5;

export function widgetsSentence({ tools, testable, reason }: WidgetsExamined): string {
  const names = tools.slice(0, mostNamed).join(', ');
  const more = tools.length > mostNamed ? ', …' : '';
  const toolsText = `${count(tools.length, 'tool')} with a widget (${names}${more})`;
  return testable
    ? `${toolsText}, which can be tested here.`
    : `${toolsText}, which cannot be tested here. ${reason ?? ''}`.trimEnd();
}
