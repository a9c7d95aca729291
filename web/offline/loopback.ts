/**
 * Host names of this machine. The service worker stores nothing for them: `warpool app` serves from disk, and another
 * version or program may use the same port later.
 */
export const LOOPBACK: RegExp = /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/;
