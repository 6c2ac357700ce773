/** What was seen of the widgets of a trial. Pictures stand apart, each once, by what observations name them. */
import type { WidgetObservation } from '@proofmark/domain';

export interface TrialWidgets {
  /** In the order of the calls whose results they show. Redacted as traces are. */
  readonly observations: readonly WidgetObservation[];
  readonly pictures: readonly KeptPicture[];
}

export interface KeptPicture {
  /** Of the PNG, lower hex. */
  readonly sha256: string;
  readonly png: Uint8Array;
}
