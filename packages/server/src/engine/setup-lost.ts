/** Something that a trial needs was lost while it ran. The trial ends without a grade; the message says why. */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
}
