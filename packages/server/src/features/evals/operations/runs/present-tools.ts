import type { OutputOf } from '@proofmark/contract';
import { isRecord, type Refusal, type RunPlan, visibleTools } from '@proofmark/domain';
import { readRecord } from '../../../../platform/database/read-document.ts';

type Tools = OutputOf<'getEvalIterationTools'>;

export type StoredSurface = Readonly<Record<string, Tools['servers'][number]['tools']>>;

/** Returns undefined for a list of tools that cannot be read, as if none had been recorded. */
export function surfaceOfText(text: string | null): StoredSurface | undefined {
  const listed = readRecord(text);
  const isOne =
    listed !== undefined &&
    Object.values(listed).every(
      (tools) =>
        Array.isArray(tools) &&
        tools.every((tool) => isRecord(tool) && typeof tool['name'] === 'string'),
    );
  return isOne ? (listed as StoredSurface) : undefined;
}

export const noTools: Refusal = {
  code: 'NOT_FOUND',
  message: 'No list of tools was recorded for this trial.',
  details: { reason: 'TOOLS_NOT_AVAILABLE' },
};

export function presentTools({
  hash,
  listed,
  plan,
  names,
}: {
  readonly hash: string;
  readonly listed: StoredSurface;
  readonly plan: RunPlan | undefined;
  readonly names: ReadonlyMap<string, string>;
}): Tools {
  const servers = Object.entries(listed).map(([serverId, tools]) => ({
    serverId,
    serverName: names.get(serverId) ?? null,
    tools,
    hiddenToolNames: hiddenNames(plan, tools),
  }));
  return { hash, servers, ...(plan?.overlay && { overlay: plan.overlay }) };
}

function hiddenNames(plan: RunPlan | undefined, tools: StoredSurface[string]): string[] {
  const seen = new Set(visibleTools(plan?.client.config ?? {}, tools));
  return tools.filter((tool) => !seen.has(tool)).map(({ name }) => name);
}
