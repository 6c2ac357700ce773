/**
 * How expected and actual tool calls are matched. The options come in layers (suite, case, run
 * override). Each layer may use the internal spelling or that of the API. A later layer wins if it
 * sets a value, even `null`.
 */
import * as z from 'zod';
import { type ArgumentMatching, argumentMatchings } from './argument-matching.ts';

export const toolCallOrders = ['ignore', 'superset', 'strict'] as const;
export type ToolCallOrder = (typeof toolCallOrders)[number];

export interface MatchOptions {
  readonly toolCallOrder: ToolCallOrder;
  /** Allowed number of additional actual calls. `null` means any number. */
  readonly maxExtraToolCalls: number | null;
  readonly argumentMatching: ArgumentMatching;
}

export const defaultMatchOptions: MatchOptions = {
  toolCallOrder: 'ignore',
  maxExtraToolCalls: null,
  argumentMatching: 'partial',
};

const publicToolCallOrders = ['any', 'in-order', 'exact'] as const;
export type PublicToolCallOrder = (typeof publicToolCallOrders)[number];

export interface PublicMatchOptions {
  readonly toolCallOrder: PublicToolCallOrder;
  readonly extraToolCalls: 'unlimited' | number;
  readonly arguments: ArgumentMatching;
}

const extraCount = z.int().min(0);

/**
 * One layer of options, in either spelling. If both spellings of an option have different values,
 * the layer is rejected.
 */
export const MatchOptionsLayer = z
  .strictObject({
    toolCallOrder: z.enum([...publicToolCallOrders, ...toolCallOrders]).optional(),
    extraToolCalls: z.union([z.literal('unlimited'), extraCount]).optional(),
    maxExtraToolCalls: extraCount.nullable().optional(),
    arguments: z.enum(argumentMatchings).optional(),
    argumentMatching: z.enum(argumentMatchings).optional(),
    /** The older option for extra calls, which allows either all or none. */
    allowExtraToolCalls: z.boolean().optional(),
  })
  .refine((layer) => agree(layer.arguments, layer.argumentMatching), {
    error: 'The values of arguments and argumentMatching contradict each other; state only one.',
    path: ['arguments'],
  })
  .refine((layer) => agree(fromPublicExtra(layer.extraToolCalls), layer.maxExtraToolCalls), {
    error:
      'The values of extraToolCalls and maxExtraToolCalls contradict each other; state only one.',
    path: ['extraToolCalls'],
  })
  .meta({ id: 'EvalMatchOptions' });
export type MatchOptionsLayer = z.infer<typeof MatchOptionsLayer>;

/** The layers must be in the order suite, case, run override. */
export function resolveMatchOptions(
  ...layers: readonly (MatchOptionsLayer | undefined)[]
): MatchOptions {
  let resolved = defaultMatchOptions;
  for (const layer of layers) {
    if (layer === undefined) continue;
    const maxExtraToolCalls = extraOf(layer);
    resolved = {
      toolCallOrder: orderOf(layer) ?? resolved.toolCallOrder,
      maxExtraToolCalls:
        maxExtraToolCalls === undefined ? resolved.maxExtraToolCalls : maxExtraToolCalls,
      argumentMatching: layer.argumentMatching ?? layer.arguments ?? resolved.argumentMatching,
    };
  }
  return resolved;
}

export function publicMatchOptions(options: MatchOptions): PublicMatchOptions {
  return {
    toolCallOrder: publicOrders[options.toolCallOrder],
    extraToolCalls: options.maxExtraToolCalls ?? 'unlimited',
    arguments: options.argumentMatching,
  };
}

const publicOrders = { ignore: 'any', superset: 'in-order', strict: 'exact' } as const;

function orderOf({ toolCallOrder: stated }: MatchOptionsLayer): ToolCallOrder | undefined {
  return toolCallOrders.find((order) => order === stated || publicOrders[order] === stated);
}

function extraOf(layer: MatchOptionsLayer): number | null | undefined {
  if (layer.maxExtraToolCalls !== undefined) return layer.maxExtraToolCalls;
  if (layer.extraToolCalls !== undefined) return fromPublicExtra(layer.extraToolCalls);
  if (layer.allowExtraToolCalls === undefined) return undefined;
  return layer.allowExtraToolCalls ? null : 0;
}

function fromPublicExtra(stated: 'unlimited' | number | undefined): number | null | undefined {
  return stated === 'unlimited' ? null : stated;
}

function agree(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}
