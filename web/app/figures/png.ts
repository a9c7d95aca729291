/** Figures as files. */

/** Pixels of a PNG per pixel of the figure. */
const PNG_SCALE = 2;

/** Creates an SVG file with print colors. */
export function createSvgBlob(svg: string): Blob {
  return new Blob([svg], { type: 'image/svg+xml' });
}

async function loadImage(svg: string): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(createSvgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Renders a PNG with the fonts of the browser, twice as large as on the screen. @throws Error if rendering fails */
export async function createPngBlob(svg: string, times: number): Promise<Blob> {
  const image = await loadImage(svg);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(PNG_SCALE * times * image.naturalWidth);
  canvas.height = Math.round(PNG_SCALE * times * image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser could not create the image'));
      else resolve(blob);
    }, 'image/png');
  });
}
