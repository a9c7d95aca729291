export const balance = {};
