/**
 * Thrown when a resource that the trial needs is lost while it runs. The trial ends without a
 * grade, and the message is the reason.
 */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
  /** Whether a server requires OAuth and accepts none of the stored grants. */
  readonly needsOAuth: boolean;

  readonly asksToWait: boolean;

  constructor(message: string, { needsOAuth = false, asksToWait = false } = {}) {
    super(message);
    this.needsOAuth = needsOAuth;
    this.asksToWait = asksToWait;
  }
}
