/**
 * Names of this machine. Nothing is kept for them: `warpool app` serves from the disk itself, and at the same port another
 * version, or another program, may serve tomorrow.
 */
export const LOOPBACK: RegExp = /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/;
