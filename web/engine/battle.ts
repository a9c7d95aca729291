export const battle = {};
