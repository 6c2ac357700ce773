/**
 * Applies the overlay of a run to the servers of a trial. Their lists are unchanged; the hash of
 * the surface includes the overlay, so that no trial counts as equal to one without it.
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

/** One object for all trials with the same list, as without an overlay. */
const madeFor = new WeakMap<ToolSurface, { overlayHash: string; surface: ToolSurface }>();

/** Returns one sentence if the overlay names tools that the servers do not list. */
export function unfitOverlay(
  { overlay }: OverlaidPlan,
  { servers }: OpenedServers,
): string | undefined {
  const problem = overlay && overlayProblem(overlay, servers);
  return problem && `The overlay does not fit what the servers list: ${problem.message}`;
}
