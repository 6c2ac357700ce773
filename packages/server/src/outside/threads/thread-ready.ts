/** The message of a thread once it is loaded, which starts its clock. */
export const threadReady = 'ready';
