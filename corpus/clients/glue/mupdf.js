// MuPDF: the page that is the picture, drawn so that a pixel of one is a pixel of the other,
// whatever the file says about its resolution.
var doc = new Document(scriptArgs[0]);
var page = doc.loadPage(0);
var bounds = page.bound();
var width = bounds[2] - bounds[0], height = bounds[3] - bounds[1];
var picture = new Image(scriptArgs[0]);
var w = picture.getWidth(), h = picture.getHeight();
// The page is turned already: its sides tell whether rows became columns.
if (Math.abs(width / height - w / h) > Math.abs(width / height - h / w)) {
    var t = w;
    w = h;
    h = t;
}
var pixels = page.toPixmap([w / width, 0, 0, h / height, 0, 0], DeviceRGB, false);
pixels.saveAsPNG(scriptArgs[1]);
