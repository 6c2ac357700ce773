/** Something that a trial needs was lost while it ran. The trial ends without a grade; the message says why. */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
  /** A server asks for OAuth, and takes no grant that there is. */
  readonly needsOAuth: boolean;

  /** A server goes on asking us to wait. */
  readonly asksToWait: boolean;

  constructor(message: string, { needsOAuth = false, asksToWait = false } = {}) {
    super(message);
    this.needsOAuth = needsOAuth;
    this.asksToWait = asksToWait;
  }
}
