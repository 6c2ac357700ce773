/**
 * The servers of a trial as they are under the overlay of its run. What they list stays theirs; the hash of the surface
 * tells that models saw something else, so that no trial is held to have seen the same as one without the overlay.
 */
import { overlayProblem, type RunPlan } from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import type { OpenedServers } from './run-servers.ts';
import type { ToolSurface } from './trial-record.ts';

type OverlaidPlan = Pick<RunPlan, 'overlay' | 'overlayHash'>;

export function throughOverlay(plan: OverlaidPlan, opened: OpenedServers): OpenedServers {
  const { overlayHash } = plan;
  const { surface } = opened;
  if (overlayHash === undefined || surface === null) return opened;
  const made = madeFor.get(surface);
  if (made?.overlayHash === overlayHash) return { ...opened, surface: made.surface };
  const { text } = surface;
  const overlaid = { text, hash: sha256Hex(`${text}\n${overlayHash}`) };
  madeFor.set(surface, { overlayHash, surface: overlaid });
  return { ...opened, surface: overlaid };
}

/** One object for all trials that were listed the same, as without an overlay. */
const madeFor = new WeakMap<ToolSurface, { overlayHash: string; surface: ToolSurface }>();

/** One sentence, where the overlay speaks of what the servers do not list. */
export function unfitOverlay(
  { overlay }: OverlaidPlan,
  { servers }: OpenedServers,
): string | undefined {
  const problem = overlay && overlayProblem(overlay, servers);
  return problem && `The overlay does not fit what the servers list: ${problem.message}`;
}
