/** The message that a thread posts once it is loaded; its time limit begins then. */
export const threadReady = 'ready';
