/**
 * The pictures of a trial: at most 24, and at most 4 MiB in all. Equal pictures are stored once.
 */
import { createHash } from 'node:crypto';
import type { WidgetPicture } from '@proofmark/domain';
import type { Picture } from '../outside/browser/widget-renderer.ts';
import type { KeptPicture } from './trial-widgets.ts';

const mostPictures = 24;
const mostBytes = 4 * 1024 * 1024;

export class TrialPictures {
  readonly #kept = new Map<string, KeptPicture>();
  #bytes = 0;

  /** Returns undefined if a limit is reached. */
  add({ png, width, height }: Picture, stepId: string | undefined): WidgetPicture | undefined {
    const sha256 = createHash('sha256').update(png).digest('hex');
    if (!this.#kept.has(sha256)) {
      if (this.#kept.size >= mostPictures || this.#bytes + png.length > mostBytes) return undefined;
      this.#kept.set(sha256, { sha256, png });
      this.#bytes += png.length;
    }
    const picture = { width, height, sha256, bytes: png.length };
    return stepId === undefined ? picture : { stepId, ...picture };
  }

  all(): readonly KeptPicture[] {
    return [...this.#kept.values()];
  }
}
