/** One version for the whole repository; the API document and the start message say it. */
export const version = '0.1.0';
