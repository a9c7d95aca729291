/** Words that scenarios and outcomes share. */
export const BARBARIANS = 'barbarians';
export const PIRATES = 'pirates';

/** What becomes of a city. */
export const CITY_FALLS = 'city-destroyed';
export const CITY_STANDS = 'repelled';

/** What stands between the outcomes of several areas. */
export const JOINT = ' + ';
