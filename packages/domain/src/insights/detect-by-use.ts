/** Detectors for tools and models, shared by runs, swarm waves and user-testing windows. */
import { percentile95 } from '../gates/measures.ts';
import type { CountedUnit, Subject } from './candidate.ts';
import { type Detection, groupBy } from './detection.ts';
import { toolErrorShare } from './detectors.ts';
import { fewest, isFarAbove, medianOf, outlierOf } from './outliers.ts';
import { type ToolUse, toolIdOf } from './tool-uses.ts';

export interface UsingUnit extends CountedUnit {
  readonly model: string | null;
  readonly tokensUsed: number | null;
  readonly tools: readonly ToolUse[];
  readonly notOffered: readonly string[];
}

export function toolErrors<Unit extends UsingUnit>(played: readonly Unit[]): Detection<Unit>[] {
  return [...usesByTool(played)].flatMap(([id, uses]) => {
    const failed = uses.filter(({ use }) => use.errors > 0);
    if (failed.length < toolErrorShare * uses.length) return [];
    const metric = failed.reduce((sum, { use }) => sum + use.errors, 0);
    const [fired, slice] = [failed.map(({ unit }) => unit), uses.map(({ unit }) => unit)];
    return [{ detector: 'tool_errors', subject: toolSubject(id, uses), fired, slice, metric }];
  });
}

export function hallucinatedTools<Unit extends UsingUnit>(
  slice: readonly Unit[],
): Detection<Unit>[] {
  return [...toolsNotOffered(slice)].slice(0, mostTools).map(([name, of]) => {
    const subject = notOfferedTool(name);
    return { detector: 'hallucinated_tool', subject, fired: of.map(({ unit }) => unit), slice };
  });
}

/** Returns the tools that were requested but never offered, beyond the maximum number to report. */
export function omittedTools<Unit extends UsingUnit>(slice: readonly Unit[]): Subject[] {
  return [...toolsNotOffered(slice).keys()].slice(mostTools).map(notOfferedTool);
}

function toolsNotOffered<Unit extends UsingUnit>(slice: readonly Unit[]) {
  const asked = slice.flatMap((unit) => unit.notOffered.map((name) => ({ name, unit })));
  return groupBy(asked, ({ name }) => name);
}

function notOfferedTool(name: string): Subject {
  return { kind: 'tool', id: name, label: name };
}

export function slowTools<Unit extends UsingUnit>(played: readonly Unit[]): Detection<Unit>[] {
  return measuredTools(played).flatMap(({ id, uses, own, rest }) => {
    const outlier = outlierOf(own, rest, percentile95);
    if (outlier === undefined || outlier.value < leastSlowMs) return [];
    const isSlow = (ms: number) => ms >= leastSlowMs && isFarAbove(ms, outlier);
    const slow = uses.filter(({ use }) => use.durationsMs.some(isSlow));
    return [
      {
        detector: 'latency_outlier',
        subject: toolSubject(id, uses),
        fired: slow.map(({ unit }) => unit),
        slice: uses.map(({ unit }) => unit),
        metric: outlier.value,
      },
    ];
  });
}

/**
 * The minimum duration in milliseconds of a slow tool. Below it, a doubled time means nothing:
 * other load on the machine easily doubles it, and users do not notice it.
 */
const leastSlowMs = 100;

/**
 * Returns the tools with enough timed calls for a comparison, each with its own durations and the
 * durations of all other tools.
 */
export function measuredTools<Unit extends UsingUnit>(played: readonly Unit[]) {
  const tools = usesByTool(played);
  const durations = (uses: readonly UseInUnit<Unit>[]) =>
    uses.flatMap(({ use }) => use.durationsMs);
  const all = durations([...tools.values()].flat());
  const measured = [...tools].filter(([, uses]) => durations(uses).length >= fewest);
  return measured.slice(0, mostTools).map(([id, uses]) => {
    const own = durations(uses);
    return { id, uses, own, rest: without(all, own) };
  });
}

/**
 * The maximum number of tools to compare. The limit is needed because each tool is compared with
 * all others, and the tested server controls the number of names.
 */
const mostTools = 100;

/** Removes each value of `taken` as often as it occurs there. */
function without(values: readonly number[], taken: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of taken) counts.set(value, (counts.get(value) ?? 0) + 1);
  return values.filter((value) => {
    const count = counts.get(value) ?? 0;
    if (count > 0) counts.set(value, count - 1);
    return count === 0;
  });
}

export function costlyModels<Unit extends UsingUnit>(played: readonly Unit[]): Detection<Unit>[] {
  return measuredModels(played).flatMap(({ model, slice, own, rest }) => {
    const outlier = outlierOf(own, rest, medianOf);
    if (outlier === undefined) return [];
    const fired = slice.filter(({ tokensUsed }) => isFarAbove(tokensUsed ?? 0, outlier));
    const subject = { kind: 'model', id: model, label: model };
    return [{ detector: 'token_outlier', subject, fired, slice, metric: outlier.value }];
  });
}

export function measuredModels<Unit extends UsingUnit>(played: readonly Unit[]) {
  const counted = played.filter(({ model, tokensUsed }) => model !== null && tokensUsed !== null);
  const tokens = (units: readonly Unit[]) => units.map(({ tokensUsed }) => tokensUsed ?? 0);
  return [...groupBy(counted, ({ model }) => model ?? '')].map(([model, slice]) => {
    const rest = counted.filter((unit) => unit.model !== model);
    return { model, slice, own: tokens(slice), rest: tokens(rest) };
  });
}

export interface UseInUnit<Unit extends UsingUnit> {
  readonly unit: Unit;
  readonly use: ToolUse;
}

export function usesByTool<Unit extends UsingUnit>(
  played: readonly Unit[],
): Map<string, UseInUnit<Unit>[]> {
  const uses = played.flatMap((unit) => unit.tools.map((use) => ({ unit, use })));
  return groupBy(uses, ({ use }) => toolIdOf(use));
}

export function toolSubject<Unit extends UsingUnit>(
  id: string,
  [first]: readonly UseInUnit<Unit>[],
): Subject {
  return { kind: 'tool', id, label: first?.use.toolName ?? id };
}
