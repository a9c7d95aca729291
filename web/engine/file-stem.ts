/** Returns the file name of a scenario without its extension. */
export const getFileStem = (file: string): string => file.replace(/\.(ya?ml|json)$/i, '');
