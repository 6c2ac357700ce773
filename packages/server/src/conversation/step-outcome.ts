/** How a step ended. Every kind except `ok` stops the trial. */
export type StepOutcome =
  | { readonly kind: 'ok'; readonly note?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | {
      readonly kind: 'providerFailed';
      readonly reason: string;
      /** Whether the cause was the provider's rate limit. */
      readonly isLimited?: true;
    }
  /** Proofmark cannot do something that the step needs. */
  | { readonly kind: 'setupFailed'; readonly reason: string }
  | { readonly kind: 'graderFailed'; readonly reason: string };

export const ok: StepOutcome = { kind: 'ok' };
