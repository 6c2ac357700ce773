import { isForWidgetsAlone } from '../clients/visible-tools.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { EvalCaseDefinition, ModelChoice } from '../suites/eval-case.ts';
import type { Step } from '../suites/step.ts';
import { widgetOfTool } from '../widgets/widget-of-tool.ts';

export const drafterId = 'proofmark/drafter-1';

export const caseBuckets = ['simple', 'multiTool', 'multiTurn', 'complex', 'negative'] as const;
export type CaseBucket = (typeof caseBuckets)[number];
export type CaseMix = Readonly<Record<CaseBucket, number>>;

export interface DraftTool {
  readonly serverName: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
  readonly annotations?: Json;
  readonly widget?: string;
  /** Whether only widgets may call the tool, not a model. */
  readonly isForWidgets?: true;
}

export interface DraftedCall {
  readonly toolName: string;
  /** The tool's server; present only if several servers list a tool of this name. */
  readonly serverName?: string;
  readonly arguments: Json;
}

export interface DraftedTurn {
  readonly prompt: string;
  readonly expected: readonly DraftedCall[];
  readonly renders?: readonly string[];
}

export interface DraftedCase {
  readonly bucket: CaseBucket;
  readonly title: string;
  readonly turns: readonly DraftedTurn[];
}

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

/** The server is included only if the tool's name is ambiguous. */
export function toolReference(
  tool: Pick<DraftTool, 'name' | 'serverName'>,
  all: readonly Pick<DraftTool, 'name' | 'serverName'>[],
): Pick<DraftedCall, 'toolName' | 'serverName'> {
  const isShared = all.some(
    ({ name, serverName }) => name === tool.name && serverName !== tool.serverName,
  );
  return { toolName: tool.name, ...(isShared && { serverName: tool.serverName }) };
}

/** Fields of a wrong type are left out. */
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
