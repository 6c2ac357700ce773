/**
 * A requirement of the trial was lost while it ran. The trial ends without a grade; the message has
 * the reason.
 */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
  /** True if a server requires OAuth and accepts no grant that we have. */
  readonly needsOAuth: boolean;

  /** True if a server keeps asking us to wait. */
  readonly asksToWait: boolean;

  constructor(message: string, { needsOAuth = false, asksToWait = false } = {}) {
    super(message);
    this.needsOAuth = needsOAuth;
    this.asksToWait = asksToWait;
  }
}
