/** What drafting starts from and comes to: tools of servers, and cases that nobody has stored yet. */
import { isForWidgetsAlone } from '../clients/visible-tools.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { EvalCaseDefinition, ModelChoice } from '../suites/eval-case.ts';
import type { Step } from '../suites/step.ts';
import { widgetOfTool } from '../widgets/widget-of-tool.ts';

/** The drafter that is built in: it writes requests by rules and is no language model. */
export const drafterId = 'proofmark/drafter-1';

/** Kinds of cases, in the order in which they are drafted. */
export const caseBuckets = ['simple', 'multiTool', 'multiTurn', 'complex', 'negative'] as const;
export type CaseBucket = (typeof caseBuckets)[number];
export type CaseMix = Readonly<Record<CaseBucket, number>>;

/** A tool as its server lists it, which nobody has checked. */
export interface DraftTool {
  readonly serverName: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
  readonly annotations?: Json;
  /** The user interface it names. */
  readonly widget?: string;
  /** No model may call it. */
  readonly isForWidgets?: true;
}

export interface DraftedCall {
  readonly toolName: string;
  /** Where several servers list a tool of this name. */
  readonly serverName?: string;
  readonly arguments: Json;
}

export interface DraftedTurn {
  readonly prompt: string;
  readonly expected: readonly DraftedCall[];
  /** Tools whose widget should be rendered. */
  readonly renders?: readonly string[];
}

export interface DraftedCase {
  readonly bucket: CaseBucket;
  readonly title: string;
  readonly turns: readonly DraftedTurn[];
}

/** As it is stored: each turn a prompt, and behind it an assertion for every call it should lead to. */
export function caseOfDraft(
  { bucket, title, turns }: DraftedCase,
  models: readonly ModelChoice[] = [],
): EvalCaseDefinition {
  const steps: Step[] = [];
  const nextId = () => `step-${steps.length + 1}`;
  for (const { prompt, expected, renders = [] } of turns) {
    steps.push({ id: nextId(), kind: 'prompt', prompt });
    for (const { toolName, serverName, arguments: args } of expected) {
      const tool = { toolName, ...(serverName !== undefined && { serverName }) };
      const assertion = { type: 'toolCalledWith' as const, ...tool, args: { args: { ...args } } };
      steps.push({ id: nextId(), kind: 'assert', assertion });
    }
    for (const toolName of renders) {
      const assertion = { type: 'widgetRendered' as const, toolName };
      steps.push({ id: nextId(), kind: 'assert', assertion });
    }
  }
  return {
    title,
    steps,
    ...(bucket === 'negative' && { isNegative: true }),
    ...(models.length > 0 && { models: [...models] }),
  };
}

/** How a call names its tool: with its server only where the name alone does not tell. */
export function toolReference(
  tool: Pick<DraftTool, 'name' | 'serverName'>,
  all: readonly Pick<DraftTool, 'name' | 'serverName'>[],
): Pick<DraftedCall, 'toolName' | 'serverName'> {
  const isShared = all.some(
    ({ name, serverName }) => name === tool.name && serverName !== tool.serverName,
  );
  return { toolName: tool.name, ...(isShared && { serverName: tool.serverName }) };
}

/** As a server lists it; what has another form than it should is left out. */
export function toolToDraft(serverName: string, tool: Json): DraftTool {
  const { name, description, inputSchema, annotations } = tool;
  const widget = widgetOfTool(tool);
  return {
    serverName,
    name: storableText(String(name)),
    ...(typeof description === 'string' && { description }),
    inputSchema: isRecord(inputSchema) ? inputSchema : {},
    ...(isRecord(annotations) && { annotations }),
    ...(widget !== undefined && { widget }),
    ...(isForWidgetsAlone(tool) && { isForWidgets: true as const }),
  };
}
