/** What a trial was set up with was taken away while it ran. It ends without a grade; the message says why. */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
}
