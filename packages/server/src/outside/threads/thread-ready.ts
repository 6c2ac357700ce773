/** What a thread posts once it is loaded; its time counts from then. */
export const threadReady = 'ready';
