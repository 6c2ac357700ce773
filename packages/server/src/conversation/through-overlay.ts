/**
 * Applies a run's overlay (replacements for listed tools that models get) to the servers of a
 * trial. The surface's hash includes the overlay. So a trial with an overlay never counts as having
 * the same tools as a trial without one.
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

/**
 * Caches the surface with the overlay, so that all trials with the same tool list get the same
 * object.
 */
const madeFor = new WeakMap<ToolSurface, { overlayHash: string; surface: ToolSurface }>();

/** Returns a sentence if the overlay names tools that no server lists. */
export function unfitOverlay(
  { overlay }: OverlaidPlan,
  { servers }: OpenedServers,
): string | undefined {
  const problem = overlay && overlayProblem(overlay, servers);
  return (
    problem && `The overlay does not match the tools that the servers list: ${problem.message}`
  );
}
